import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { loadTeamModule } from './style-packages'
import { nativeAddonProblem, StyleError } from './style-error'

/** The used part of the package `postcss`, which belongs to the site folder. */
type Postcss = (plugins: readonly unknown[]) => {
  process: (css: string, options: object) => PromiseLike<{ css: string }>
}

interface PostcssSettings {
  folder: string
  /** The file of the folder that lists the plugins. */
  postcssConfig: string
}

let known: { postcss: Postcss; plugins: readonly unknown[] } | undefined

/** Runs the plugins of `postcss.config.js` on a style sheet. Another configuration has another process. */
export async function applyPostcss(css: string, path: string, settings: PostcssSettings): Promise<string> {
  known ??= { postcss: await loadPostcss(settings), plugins: await loadPlugins(settings) }
  try {
    const result = await known.postcss(known.plugins).process(css, { from: path, map: false })
    return result.css
  } catch (problem) {
    throw placed(problem, settings)
  }
}

async function loadPostcss({ folder, postcssConfig }: PostcssSettings): Promise<Postcss> {
  try {
    // as its own types say
    return (await loadTeamModule('postcss', folder)).loaded as Postcss
  } catch {
    const message = 'The package postcss is missing. In the site folder: npm install postcss'
    throw new StyleError(message, { file: postcssConfig })
  }
}

async function loadPlugins({ folder, postcssConfig }: PostcssSettings): Promise<unknown[]> {
  const at = { file: postcssConfig }
  const { loaded } = await loadTeamModule(join(folder, postcssConfig), folder).catch((problem: unknown) => {
    throw new StyleError(whyNotLoaded(problem, readFileSync(join(folder, postcssConfig), 'utf8')), at)
  })
  const listed = pluginsOf(
    typeof loaded === 'function' ? await loaded({ env: process.env['NODE_ENV'] }) : loaded,
  )
  if (!listed) throw new StyleError('It has no list of plugins.', at)
  const plugins: unknown[] = []
  for (const one of listed) plugins.push(await pluginOf(one, folder, at))
  return plugins
}

/** A plugin is a name with options, or what its package has made. */
type ListedPlugin = { name: string; options: unknown } | { plugin: unknown }

function pluginsOf(config: unknown): ListedPlugin[] | undefined {
  if (typeof config !== 'object' || config === null || !('plugins' in config)) return undefined
  const { plugins } = config
  if (Array.isArray(plugins))
    return plugins.filter(Boolean).map((one: unknown): ListedPlugin => {
      if (typeof one === 'string') return { name: one, options: {} }
      if (Array.isArray(one) && typeof one[0] === 'string') return { name: one[0], options: one[1] ?? {} }
      return { plugin: one }
    })
  if (typeof plugins !== 'object' || plugins === null) return undefined
  return Object.entries(plugins).flatMap(([name, options]) => (options === false ? [] : [{ name, options }]))
}

async function pluginOf(listed: ListedPlugin, folder: string, at: { file: string }): Promise<unknown> {
  if ('plugin' in listed) return listed.plugin
  const { name, options } = listed
  if (name === 'tailwindcss' || name === '@tailwindcss/postcss')
    throw new StyleError(tailwindAdvice(name), at)
  try {
    const { loaded } = await loadTeamModule(name, folder)
    return typeof loaded === 'function' ? loaded(options === true ? {} : options) : loaded
  } catch (problem) {
    const isMissing = problem instanceof Error && 'code' in problem && problem.code === 'MODULE_NOT_FOUND'
    throw new StyleError(
      nativeAddonProblem(name, problem) ??
        (isMissing
          ? `The plugin ${name} is missing. In the site folder: npm install ${name}`
          : `The plugin ${name} cannot be loaded: ${StyleError.of(problem).message}`),
      at,
    )
  }
}

function whyNotLoaded(problem: unknown, config: string): string {
  const plugin = '@tailwindcss/postcss'
  if (config.includes(plugin)) return tailwindAdvice(plugin)
  return (
    nativeAddonProblem('A plugin of it', problem) ?? `It cannot be loaded: ${StyleError.of(problem).message}`
  )
}

const tailwindAdvice = (name: string): string =>
  `Tailwind 4 needs no plugin: take ${name} from the list. A style sheet with @import "tailwindcss" is compiled by the package tailwindcss of the folder.`

/** Errors of PostCSS have a place and a reason. */
function placed(problem: unknown, { folder }: PostcssSettings): unknown {
  if (!(problem instanceof Error) || !('reason' in problem) || !('line' in problem)) return problem
  const file = 'file' in problem && typeof problem.file === 'string' ? problem.file : ''
  const line = typeof problem.line === 'number' ? problem.line : undefined
  return new StyleError(String(problem.reason), { file: file.replace(`${folder}/`, ''), line })
}
