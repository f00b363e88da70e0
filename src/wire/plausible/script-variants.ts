/** The options in a script's name: `script.hash.outbound-links.js`. */
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

/** The text in the built script that the variant's options replace. */
const placeholder = '"__TILTH_VARIANT__"'

/** Whether this is a script name of Plausible's. */
export const isScriptName = (name: string): boolean => parseScriptName(name) !== undefined

/** Returns the script with the options in its file name. */
export const scriptVariant = (name: string, script: string): string =>
  script.replace(placeholder, () => JSON.stringify(parseScriptName(name) ?? {}))

/** The options built into the script, which cannot rely on its own URL: a proxy may rename it. */
interface ScriptVariant {
  /** The script of one site, which `plausible.init` configures further. */
  site?: string
  extensions?: readonly string[]
}

function parseScriptName(name: string): ScriptVariant | undefined {
  const site = /^pa-([\w-]{1,100})\.js$/.exec(name)?.[1]
  if (site !== undefined) return { site }
  if (!/^(?:script|plausible)(?:\.[\w-]+)*\.js$/.test(name)) return undefined
  const requested = name.split('.').slice(1, -1)
  return requested.every(isExtension) ? { extensions: requested } : undefined
}
