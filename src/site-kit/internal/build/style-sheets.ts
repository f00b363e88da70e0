import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { build, transform, type PartialMessage, type Plugin } from 'esbuild'
import { z } from 'zod'
import { forkProgram } from '#processes/fork-program'
import type { KitBuild } from '../../kit-manifest'
import { isTailwind } from '../runtime/tailwind'

/** A style sheet to be compiled, as its process is asked. */
export interface StyleRequest {
  /** Paths are from the root of the folder. */
  file: string
  files: readonly string[]
  postcssConfig: string | undefined
}

const styleProblem = z.object({
  message: z.string(),
  file: z.string(),
  line: z.number().optional(),
  column: z.number().optional(),
})

const styleReply = z.union([z.object({ css: z.string() }), z.object({ problem: styleProblem })])
export type StyleReply = z.infer<typeof styleReply>

/** The text of a style sheet for esbuild, or its mistakes. */
export type StyleOutcome = { done: true; css: string } | { done: false; errors: PartialMessage[] }

interface RunningCompiler {
  child: ChildProcess
  ended: AbortSignal
  /** The files that it may read and has loaded; another process takes its place once they differ. */
  stamp: string
}

const maxCompileMs = 30_000
/** The browsers of Tailwind 4, for its nested rules: https://tailwindcss.com/docs/compatibility */
const browsers = ['chrome111', 'firefox128', 'safari16.4']
const postcssNames = /^postcss\.config\.[cm]?js$/
/** Modules of the team that are no part of its pages, such as `tailwind.config.js` and plugins. */
const compilerModules = /^(?!(?:pages|layouts|components|posts|content)\/).*\.(?:[cm]?js|ts|json)$/

/**
 * Compiles style sheets by the Tailwind and the PostCSS that a site folder brings. Both run code of the team, so they run
 * as the renderer does: in a process without settings, which reads the folder only. It is kept for later builds.
 */
export class StyleSheets {
  private running: RunningCompiler | undefined
  private program: Promise<string> | undefined
  private files: readonly string[] = []
  private postcssConfig: string | undefined
  private asked: Promise<unknown> = Promise.resolve()
  private hasTailwind = false

  constructor(private readonly settings: KitBuild) {}

  /** Begins a build of these files, paths from the root of the folder. */
  begin(files: readonly string[]): void {
    this.files = files
    this.postcssConfig = files.find((file) => postcssNames.test(file))
    this.hasTailwind = false
  }

  /** Whether this build has style sheets for Tailwind, which depend on every text of the folder. */
  get usesTailwind(): boolean {
    return this.hasTailwind
  }

  /** Reads a style sheet, and compiles it where that is for Tailwind or PostCSS. Sheets of packages stay as they are. */
  async read(path: string): Promise<StyleOutcome> {
    const file = relative(this.settings.folder, path).split(sep).join('/')
    const text = readFileSync(path, 'utf8')
    const isOwn = !file.startsWith('../') && !/(?:^|\/)node_modules\//.test(file)
    const isForTailwind = isOwn && isTailwind(text)
    this.hasTailwind ||= isForTailwind
    if (!isForTailwind && !(isOwn && this.postcssConfig !== undefined)) return { done: true, css: text }
    const reply = await this.ask(file)
    if ('css' in reply)
      return { done: true, css: (await transform(reply.css, { loader: 'css', target: browsers })).code }
    const { message, line = 1, column = 1, file: place } = reply.problem
    const at = { file: join(this.settings.folder, place) }
    const location = { ...at, line, column: column - 1 }
    return { done: false, errors: [{ text: message, location }] }
  }

  close(): void {
    this.running?.child.kill('SIGKILL')
    this.running = undefined
  }

  /** Style sheets are compiled one after the other. */
  private async ask(file: string): Promise<StyleReply> {
    const reply = this.asked.then(() => this.askNext(file))
    this.asked = reply.catch(() => {})
    return await reply
  }

  /** A compilation that never ends is stopped. */
  private async askNext(file: string): Promise<StyleReply> {
    const { child, ended } = await this.compiler()
    try {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(maxCompileMs)])
      const reply = once(child, 'message', { signal })
      const request: StyleRequest = { file, files: this.files, postcssConfig: this.postcssConfig }
      child.send(request, () => {})
      return styleReply.parse((await reply)[0])
    } catch {
      this.close()
      const reason = ended.aborted ? `their process ended: ${String(ended.reason)}` : 'they took too long'
      return { problem: { file, message: `Styles cannot be compiled: ${reason}.` } }
    }
  }

  private async compiler(): Promise<RunningCompiler> {
    const program = await (this.program ??= this.buildProgram())
    const readable = this.readable()
    const stamp = [...readable, ...this.moduleStamps()].join('\n')
    if (this.running && this.running.stamp !== stamp) this.close()
    return (this.running ??= startCompiler(program, { folder: this.settings.folder, readable, stamp }))
  }

  /** The contents of the folder, without hidden files and without Tilth's own data where it stands there. */
  private readable(): string[] {
    const { folder, output } = this.settings
    const kept = realpathSync(dirname(output))
    const packages = 'node_modules'
    const own = readdirSync(folder)
      .filter((name) => !name.startsWith('.') && name !== packages)
      .map((name) => join(folder, name))
      .filter((path) => !`${kept}${sep}`.startsWith(`${realpathSync(path)}${sep}`))
    return [join(folder, packages), ...own].toSorted()
  }

  /** Modules are loaded once by a process. */
  private moduleStamps(): string[] {
    const packages = ['node_modules/.package-lock.json', 'node_modules/tailwindcss/package.json']
    return [...this.files.filter((file) => compilerModules.test(file)), ...packages].map((file) => {
      const found = statSync(join(this.settings.folder, file), { throwIfNoEntry: false })
      return `${file} ${found?.mtimeMs} ${found?.size} ${found?.ino}`
    })
  }

  private async buildProgram(): Promise<string> {
    const { runtime, output } = this.settings
    const built = await build({
      entryPoints: [join(runtime, 'style-program.ts')],
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'node',
      target: 'node22.13',
      logLevel: 'silent',
      tsconfigRaw: {},
    })
    const program = join(output, 'styles', 'styles.mjs')
    mkdirSync(dirname(program), { recursive: true })
    writeFileSync(program, built.outputFiles[0]?.contents ?? '')
    return program
  }
}

const maxHeapMegabytes = 384

function startCompiler(
  program: string,
  { folder, readable, stamp }: { folder: string; readable: readonly string[]; stamp: string },
): RunningCompiler {
  const child = forkProgram(program, [folder], {
    cwd: folder,
    execArgv: [
      '--permission',
      ...[dirname(program), ...readable].map((path) => `--allow-fs-read=${path}`),
      `--max-old-space-size=${maxHeapMegabytes}`,
      '--disable-warning=SecurityWarning',
    ],
    env: { NODE_ENV: process.env['NODE_ENV'] ?? 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const ended = new AbortController()
  let lastOutput = ''
  child.stderr?.on('data', (words) => (lastOutput = `${lastOutput}${words}`.slice(-1000)))
  child.once('close', (status, signal) => ended.abort(lastOutput.trim() || `exit ${status ?? signal}`))
  return { child, ended: ended.signal, stamp }
}

/** Loads the style sheets of a site folder as esbuild's own. */
export const styleSheetFiles = (sheets: StyleSheets): Plugin => ({
  name: 'style-sheets',
  setup(plugins) {
    plugins.onLoad({ filter: /\.css$/, namespace: 'file' }, async ({ path }) => {
      const outcome = await sheets.read(path)
      return outcome.done
        ? { contents: outcome.css, loader: 'css', resolveDir: dirname(path) }
        : { errors: outcome.errors }
    })
  },
})

/** Tilth's own styles of a site, in the layer that all others are above. */
const siteLayer = 'tilth'
const firstStatements =
  /^(?:\s|\/\*[^]*?\*\/|@(?:charset|import|layer)\s(?:"[^"]*"|'[^']*'|url\([^)]*\)|[^;"'{])*;)*/

/**
 * Puts styles beside those of Tilth, so that the more precise rule wins. Those of a folder with Tailwind stay above all of
 * them, as its classes would otherwise lose to each rule of Tilth's: https://developer.mozilla.org/docs/Web/CSS/@layer
 */
export function besideSiteStyles(css: string): string {
  const [first = ''] = firstStatements.exec(css) ?? []
  return `${first}@layer ${siteLayer} {\n${css.slice(first.length)}}\n`
}
