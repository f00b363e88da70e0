import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { WatchedFolder } from '#world/watched-folder'
import { BuildProcess } from './internal/build-process'
import { removeOldBuilds } from './internal/kept-builds'
import { isEmptyKit, isEntryFile, kitFilesIn, kitFolders, readKitSources } from './internal/build/kit-sources'
import {
  type BuildOutcome,
  type KitBuild,
  type KitManifest,
  kitManifest,
  type KitProblem,
  programOf,
} from './kit-manifest'

/** A build, and the program that runs it. */
export interface RunnableBuild extends KitBuild {
  /** The compiled `build-program.ts`. */
  program: string
}

/** Builds a site folder once. */
export const runBuild = (build: RunnableBuild): Promise<BuildOutcome> => new BuildProcess(build).build()

interface SiteKitSettings extends RunnableBuild {
  onTrouble: (problem: unknown) => void
}

/** The state of the kit, as the pages process receives it. */
export interface KitState {
  /** The folder of the builds. */
  output: string
  /** The last build without problems. */
  manifest: KitManifest | undefined
  /** The problems that prevent a build of the folder as it is now. */
  problems: readonly KitProblem[]
  /** Whether pages show what is wrong, and browsers reload after a change. */
  isDev: boolean
}

const debounceMs = 60
const pollEveryMs = 10_000

/** Builds the site folder at the start and after each change. The last good build stays in use, even after restarts. */
export class SiteKit {
  private manifest: KitManifest | undefined
  private problems: readonly KitProblem[] = []
  /** Of the files that were built last; undefined where the build could not be run. */
  private stamp: string | undefined = ''
  private building: Promise<void> = Promise.resolve()
  private readonly watched: WatchedFolder
  private readonly builder: BuildProcess
  private readonly listeners = new Set<() => void>()
  private readonly closing = new AbortController()

  private constructor(private readonly settings: SiteKitSettings) {
    this.manifest = readCurrent(settings.output)
    this.builder = new BuildProcess(settings)
    const { folder, onTrouble } = settings
    const onChange = () => this.refresh()
    this.watched = new WatchedFolder({ folder, onChange, onTrouble, debounceMs, pollEveryMs })
  }

  /** Returns at once; the first build announces itself as a change. */
  static open(settings: SiteKitSettings): SiteKit {
    const kit = new SiteKit(settings)
    void kit.watched
      .start()
      .catch(settings.onTrouble)
      .then(() => kit.refresh())
    return kit
  }

  state(): KitState {
    const { output, isDev } = this.settings
    return { output, manifest: this.manifest, problems: this.problems, isDev }
  }

  onChange(listener: () => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Builds what has changed. A call during a build waits for another one. */
  async refresh(): Promise<void> {
    this.building = this.building
      .then(() => this.buildIfChanged())
      .catch((problem) => {
        // the next poll tries again
        this.stamp = undefined
        this.settings.onTrouble(problem)
      })
    await this.building
  }

  async close(): Promise<void> {
    this.closing.abort()
    await this.watched.close()
    await this.building
    this.builder.close()
  }

  private async buildIfChanged(): Promise<void> {
    const { folder } = this.settings
    const stamp = await stampOf(folder)
    if (this.closing.signal.aborted || stamp === this.stamp) return
    this.stamp = stamp
    if (stamp === '' || isEmptyKit(await readKitSources(folder))) return this.use(undefined, [])
    const outcome = await this.builder.build(this.closing.signal)
    if (outcome.done) this.use(outcome.manifest, [])
    else this.use(this.manifest, outcome.problems)
  }

  private use(manifest: KitManifest | undefined, problems: readonly KitProblem[]): void {
    const isSame =
      manifest?.id === this.manifest?.id && JSON.stringify(problems) === JSON.stringify(this.problems)
    if (manifest?.id !== this.manifest?.id) writeCurrent(this.settings.output, manifest)
    this.manifest = manifest
    this.problems = problems
    if (!isSame) for (const listener of this.listeners) listener()
  }
}

const currentFile = (output: string): string => join(output, 'current.json')

/** The build that was in use last, if it is still there. */
function readCurrent(output: string): KitManifest | undefined {
  if (!existsSync(currentFile(output))) return undefined
  const read = kitManifest.safeParse(JSON.parse(readFileSync(currentFile(output), 'utf8')))
  return read.success && existsSync(programOf(output, read.data)) ? read.data : undefined
}

function writeCurrent(output: string, manifest: KitManifest | undefined): void {
  if (!manifest) return rmSync(currentFile(output), { force: true })
  mkdirSync(output, { recursive: true })
  writeFileSync(currentFile(output), JSON.stringify(manifest))
  removeOldBuilds(output, manifest.id)
}

const builtFile = /\.(?:[jt]sx?|[cm]js|mdx|css|json|svg|png|ico|woff2?|jpe?g|webp|avif|gif)$/

/** Files that may use classes of Tailwind, besides those that are built. */
const textFile = /\.(?:mdx?|html?)$/

/** Changes with every file that is built; '' without such a file. */
async function stampOf(folder: string): Promise<string> {
  if (!kitFolders.some((name) => existsSync(join(folder, name)))) return ''
  const hasTailwind = existsSync(join(folder, 'node_modules/tailwindcss'))
  const files = (await kitFilesIn(folder)).filter(
    (file) => builtFile.test(file) || isEntryFile(file) || (hasTailwind && textFile.test(file)),
  )
  const stamps = files.map(async (file) => {
    // a file may disappear meanwhile
    const found = await stat(join(folder, file)).catch(() => undefined)
    return `${file} ${found?.mtimeMs} ${found?.size} ${found?.ino}`
  })
  return (await Promise.all(stamps)).toSorted().join('\n')
}
