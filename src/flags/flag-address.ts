/** Pages beside those of one flag, and `key`, the folder that those were in before. */
export const pagesBesideFlags: readonly string[] = ['new', 'explain', 'environments', 'holdouts', 'key']

/** Names a flag in an address. A flag may be called anything: one that is called like a page stands behind "~". */
export const flagPart = (key: string): string => (pagesBesideFlags.includes(key) ? `~${key}` : key)

/** The key of the flag that a part of an address names. No key has a "~". */
export const flagKeyIn = (part: string): string => part.replace(/^~/, '')
