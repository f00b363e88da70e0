import { readFile, rename, writeFile } from 'node:fs/promises'
import type { Project } from '#projects/project'
import type { CohortRule, CohortRules } from './internal/cohort-rules'
import type { FlagEnvironment, Flag } from './flag'

/** Everything that decisions need, for all projects, and the keys that identify projects. */
export interface LoadedDefinitions {
  /** Includes archived flags. Secret payloads are sealed. */
  flags: readonly Flag[]
  /** Cohorts by project, then by id. */
  cohorts: ReadonlyMap<number, CohortRules>
  /** Includes archived projects. Nothing here is secret: their keys can only write. */
  projects: readonly Project[]
  environments: readonly FlagEnvironment[]
}

/** The version of the format; a file with another version is ignored. */
const form = 2

interface WrittenDefinitionsFile {
  form: number
  flags: (Omit<Flag, 'createdAt' | 'changedAt' | 'archivedAt'> & WrittenTimes)[]
  cohorts: [projectId: number, rules: [id: string, rule: CohortRule | null][]][]
  projects: (Omit<Project, 'createdAt' | 'archivedAt'> & Omit<WrittenTimes, 'changedAt'>)[]
  environments: FlagEnvironment[]
}

interface WrittenTimes {
  createdAt: string
  changedAt: string
  archivedAt?: string
}

/** The last good definitions on disk, for decisions while the store does not respond. */
export class DefinitionsSnapshot {
  private latest: LoadedDefinitions | undefined
  private writing: Promise<void> | undefined

  constructor(private readonly file: string) {}

  /** Writes definitions. While a write is in progress, only the latest waits. */
  async write(loaded: LoadedDefinitions): Promise<void> {
    this.latest = loaded
    this.writing ??= this.writeLatest().finally(() => (this.writing = undefined))
    await this.writing
  }

  private async writeLatest(): Promise<void> {
    while (this.latest) {
      const text = JSON.stringify(toFileForm(this.latest))
      this.latest = undefined
      await writeFile(`${this.file}.draft`, text, { mode: 0o600 })
      await rename(`${this.file}.draft`, this.file)
    }
  }

  /** Returns undefined if there is no file or its version differs; rejects if it cannot be read. */
  async read(): Promise<LoadedDefinitions | undefined> {
    const text = await readFile(this.file, 'utf8').catch(undefinedIfMissing)
    if (text === undefined) return undefined
    const found = JSON.parse(text) as WrittenDefinitionsFile // only `write` writes it
    return found.form === form ? fromFileForm(found) : undefined
  }

  /** Resolves once no write is in progress. */
  async allWritten(): Promise<void> {
    await this.writing
  }
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
  throw error
}

const toFileForm = ({ flags, cohorts, projects, environments }: LoadedDefinitions) => ({
  form,
  flags,
  cohorts: Array.from(cohorts, ([projectId, rules]) => [
    projectId,
    Array.from(rules, ([id, rule]) => [id, rule ?? null]),
  ]),
  projects,
  environments,
})

const fromFileForm = ({
  flags,
  cohorts,
  projects,
  environments,
}: WrittenDefinitionsFile): LoadedDefinitions => ({
  // all keys in a fixed order, because the fingerprint is computed from the text
  flags: flags.map((flag) => ({
    ...flag,
    createdAt: new Date(flag.createdAt),
    changedAt: new Date(flag.changedAt),
    archivedAt: dateIn(flag.archivedAt),
  })),
  cohorts: new Map(
    cohorts.map(([projectId, rules]) => [
      projectId,
      new Map(rules.map(([id, rule]) => [id, rule ?? undefined])),
    ]),
  ),
  projects: projects.map((project) => ({
    ...project,
    createdAt: new Date(project.createdAt),
    archivedAt: dateIn(project.archivedAt),
  })),
  environments,
})

const dateIn = (text: string | undefined): Date | undefined =>
  text === undefined ? undefined : new Date(text)
