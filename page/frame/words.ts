// The page's own few words; all others are the program's.
import spoken from "./words.json";

/** The first of the languages of this browser that the program speaks, too. */
export const language = navigator.languages.map((each) => each.slice(0, 2)).find((each) => each in spoken) ?? "en";
export const words = language === "es" ? spoken.es : spoken.en;
