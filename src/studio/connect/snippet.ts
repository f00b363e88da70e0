/** The values that every snippet is built from. */
export interface SnippetOptions {
  /** The address of this installation: `https://tilth.example.com`. */
  address: string
  /** The address that browsers request: the same address, or a path of the site's own that leads there. */
  base: string
  /** The project's write key. */
  key: string
}

/** A piece of code that works without changes. */
export interface Snippet {
  /** The file or place for it. */
  title: string
  /** The displayed language: HTML, Shell, JSON. */
  language: string
  code: string
}

/** Below which path of its own a site passes on what belongs to Tilth. */
export const proxyPrefix = '/t'
