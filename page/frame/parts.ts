// The parts of the page: each is fetched by its hash, or stands in the page itself (from a stick).

type Part = { url?: string; integrity: string; size: number; octets?: string }; // base64 of what gzip made

const parts: Record<string, Part> = JSON.parse(document.getElementById("parts")!.textContent!);
const fetched = globalThis.fetch.bind(globalThis);
const coming = new Map<string, Promise<Response>>();

/** Have all parts come at once, and tell which share has: in steps, as a part is only heard of once its hash is right. */
export function fetchAll(came: (share: number) => void): void {
  const all = Object.values(parts).reduce((sum, { size }) => sum + size, 0);
  let sum = 0;
  for (const [name, { size }] of Object.entries(parts)) {
    const part = unpacked(name);
    coming.set(name, part);
    part.then(() => came((sum += size) / all), () => {}); // who asks for it hears of an error
  }
}

/** A part, whole and as it was built; throws for anything else. */
export async function part(name: string): Promise<Response> {
  const part = coming.get(name) ?? unpacked(name);
  coming.delete(name); // it can be read once
  return part;
}

async function unpacked(name: string): Promise<Response> {
  const { url, integrity, octets } = parts[name]!;
  if (url !== undefined) return fetched(url, { integrity, credentials: "omit" });
  const packed = Uint8Array.from(atob(octets!), (each) => each.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const type = name.endsWith(".wasm") ? "application/wasm" : "application/octet-stream";
  return new Response(stream, { headers: { "Content-Type": type } });
}

// Nothing else is fetched, whoever asks.
globalThis.fetch = (asked) => part(String(asked instanceof Request ? asked.url : asked).split("/").pop()!);
