/** What can be switched on in the name of the script: `script.hash.outbound-links.js`. */
const extensions = [
  'hash',
  'outbound-links',
  'file-downloads',
  'tagged-events',
  'revenue',
  'pageview-props',
  '404',
  'compat',
  'local',
  'manual',
  'exclusions',
] as const

const isExtension = (name: string): boolean => extensions.some((extension) => extension === name)

/** Where the script as it was built expects what its name says. */
const placeholder = '"__TILTH_VARIANT__"'

/** Whether this is a name of Plausible's. */
export const isScriptName = (name: string): boolean => variantOf(name) !== undefined

/** The script, knowing what its name asks for. */
export const scriptNamed = (name: string, script: string): string =>
  script.replace(placeholder, () => JSON.stringify(variantOf(name) ?? {}))

/** Told to the script, which could not tell by its own address: a proxy may call it anything. */
export interface Variant {
  /** Of a script that belongs to one site and is told the rest by `plausible.init`. */
  site?: string
  extensions?: readonly string[]
}

function variantOf(name: string): Variant | undefined {
  const site = /^pa-([\w-]{1,100})\.js$/.exec(name)?.[1]
  if (site !== undefined) return { site }
  if (!/^(?:script|plausible)(?:\.[\w-]+)*\.js$/.test(name)) return undefined
  const asked = name.split('.').slice(1, -1)
  return asked.every(isExtension) ? { extensions: asked } : undefined
}
