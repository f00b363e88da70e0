import { hash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'

interface CompiledTextsSettings {
  /** The folder of the builds. */
  output: string
  /** The folder from which compilers are loaded. */
  packages: string
}

/**
 * Keeps what texts were compiled to, by their contents, so that a build compiles only those that have changed. It stands
 * on disk, because each build of `tilth start` has a process of its own.
 */
export class CompiledTexts {
  private readonly folder: string
  private readonly compiler: string
  private readonly known = new Map<string, string>()
  private used = new Set<string>()

  constructor({ output, packages }: CompiledTextsSettings) {
    this.folder = join(output, 'compiled')
    this.compiler = compilerId(packages)
  }

  begin(): void {
    this.used = new Set()
  }

  /** Returns the compiled text, and compiles it where no build has. */
  async compile(
    kind: 'entry' | 'mdx',
    text: string,
    compile: (text: string) => Promise<string>,
  ): Promise<string> {
    const key = hash('sha256', `${this.compiler} ${kind} ${text}`)
    this.used.add(key)
    const kept = this.known.get(key) ?? this.read(key)
    const contents = kept ?? (await compile(text))
    if (kept === undefined) this.write(key, contents)
    this.known.set(key, contents)
    return contents
  }

  /** Removes what a whole build has not used. */
  end(): void {
    for (const key of this.known.keys()) if (!this.used.has(key)) this.known.delete(key)
    if (this.used.size === 0) return rmSync(this.folder, { recursive: true, force: true })
    for (const name of readdirSync(this.folder))
      if (!this.used.has(name)) rmSync(join(this.folder, name), { force: true })
  }

  private read(key: string): string | undefined {
    try {
      return readFileSync(join(this.folder, key), 'utf8')
    } catch {
      return undefined
    }
  }

  /** In one step, so that a build that was stopped has left nothing half. */
  private write(key: string, contents: string): void {
    mkdirSync(this.folder, { recursive: true })
    const file = join(this.folder, key)
    writeFileSync(`${file}.new`, contents)
    renameSync(`${file}.new`, file)
  }
}

/** Differs for another Tilth and for other packages, which may compile differently. */
function compilerId(packages: string): string {
  const [, program = ''] = process.argv
  const built = existsSync(program) ? readFileSync(program, 'utf8') : ''
  const installed = statSync(join(packages, '.package-lock.json'), { throwIfNoEntry: false })
  return hash('sha256', `${built} ${installed?.mtimeMs} ${installed?.size}`)
}
