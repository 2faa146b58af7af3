// What the tab keeps: paths and their octets in IndexedDB, for the table of this address alone.

const SEEN_MS = 4_000; // a lease that nobody has renewed for so long is nobody's
const RENEWED_MS = 1_000;

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => Object.assign(request, { onsuccess: () => resolve(request.result), onerror: () => reject(request.error) }));

const whole = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    const failed = () => reject(transaction.error ?? new Error("not kept"));
    Object.assign(transaction, { oncomplete: () => resolve(), onerror: failed, onabort: failed });
  });

/** A piece of a path at an offset; without octets, all from that offset on is to go. */
export type Change = [path: string, at: number, octets: Uint8Array | null];

/** A store of one table; `token` says whose it is, and every change is fenced by it. */
export class Store {
  private readonly token = crypto.getRandomValues(new Uint32Array(4)).join("-");

  private constructor(private readonly base: IDBDatabase) {}

  /** Open the store of this name; those of other tables are deleted unread. */
  static async open(name: string): Promise<Store> {
    for (const { name: other } of await indexedDB.databases()) {
      if (other !== undefined && other !== name) indexedDB.deleteDatabase(other);
    }
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => ["pieces", "lease"].forEach((each) => request.result.createObjectStore(each));
    return new Store(await done(request));
  }

  /** Take the lease, unless another tab renews its own meanwhile; whether it is ours. */
  async lease(): Promise<boolean> {
    let mine = await this.renewed("taken");
    for (const end = Date.now() + SEEN_MS + RENEWED_MS; !mine && Date.now() < end; mine = await this.renewed("taken"))
      await new Promise((go) => setTimeout(go, RENEWED_MS / 4));
    if (mine) setInterval(() => void this.renewed("kept").catch(() => {}), RENEWED_MS);
    return mine;
  }

  private async renewed(how: "taken" | "kept"): Promise<boolean> {
    const transaction = this.base.transaction("lease", "readwrite", { durability: "strict" });
    const held = transaction.objectStore("lease");
    const lease = await done(held.get("lease"));
    const isFree = !lease || lease.token === localStorage.left || Date.now() - lease.seen > SEEN_MS;
    const mine = lease?.token === this.token || (how === "taken" && isFree);
    if (mine) held.put({ token: this.token, seen: Date.now() }, "lease");
    await whole(transaction);
    return mine;
  }

  /** Say that whoever holds this lease has gone, so that a page that is opened next need not wait. No browser waits for
   *  a page that goes to change a database; this is done at once. */
  leave(): void {
    localStorage.left = this.token;
  }

  /** All that is kept, in order. */
  async all(): Promise<Change[]> {
    const pieces = this.base.transaction("pieces").objectStore("pieces");
    const [keys, values] = await Promise.all([done(pieces.getAllKeys()), done(pieces.getAll())]);
    return keys.map((key, at) => [...(key as [string, number]), values[at]]);
  }

  /** Make changes durable, all or none. Fails where the lease is another tab's. */
  async keep(changes: Change[]): Promise<void> {
    const transaction = this.base.transaction(["pieces", "lease"], "readwrite", { durability: "strict" });
    const lease = await done(transaction.objectStore("lease").get("lease"));
    if (lease?.token !== this.token) throw new Error("another tab plays");
    const pieces = transaction.objectStore("pieces");
    for (const [path, at, octets] of changes) {
      if (octets) pieces.put(octets, [path, at]);
      else pieces.delete(IDBKeyRange.bound([path, at], [path, Infinity]));
    }
    await whole(transaction);
  }
}
