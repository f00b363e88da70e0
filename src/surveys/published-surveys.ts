import { ReloadLoop } from '#store/reload-loop'
import type { Store } from '#store/store'
import { everyStamp, surveysWithIds, versionsOf, type SurveyStamp } from './store'
import type { Survey, SurveyVersion } from './survey'

interface PublishedSurveysDependencies {
  store: Store
  onTrouble: (problem: unknown) => void
}

const retryMs = 1000

interface CachedSurvey {
  survey: Survey
  /** The oldest first. */
  versions: readonly SurveyVersion[]
}

type SurveysById = ReadonlyMap<string, CachedSurvey>

const noSurveys: readonly Survey[] = []

/** Keeps all surveys of all projects in memory with all versions of their content, drafts and archived ones included. */
export class PublishedSurveys {
  private byProject: ReadonlyMap<number, SurveysById> = new Map()
  private lists: ReadonlyMap<number, readonly Survey[]> = new Map()
  private readonly listeners = new Set<(projectId: number) => void>()
  private stopListening: () => void = () => {}
  private readonly loop: ReloadLoop

  private constructor(private readonly dependencies: PublishedSurveysDependencies) {
    this.loop = new ReloadLoop({
      read: async () => this.replace(await this.read()),
      retryMs,
      onTrouble: dependencies.onTrouble,
    })
  }

  static async open(dependencies: PublishedSurveysDependencies): Promise<PublishedSurveys> {
    const published = new PublishedSurveys(dependencies)
    published.stopListening = dependencies.store.onChange((topic) => {
      if (topic === 'surveys') void published.loop.reload().catch(dependencies.onTrouble)
    })
    await published.loop.reload()
    return published
  }

  /** By age, drafts and archived ones among them. Always the same list until one of them changes. */
  surveysOf(projectId: number): readonly Survey[] {
    return this.lists.get(projectId) ?? noSurveys
  }

  /** Those of all projects. */
  everySurvey(): Survey[] {
    return [...this.lists.values()].flat()
  }

  find(projectId: number, id: string): Survey | undefined {
    return this.byProject.get(projectId)?.get(id)?.survey
  }

  /** All versions of a survey's content, the oldest first; none of an unknown survey. */
  versionsOf(projectId: number, id: string): readonly SurveyVersion[] {
    return this.byProject.get(projectId)?.get(id)?.versions ?? []
  }

  /** The version that was in force at an instant; the first one for earlier instants. */
  versionAt(projectId: number, id: string, at: Date): SurveyVersion | undefined {
    const versions = this.versionsOf(projectId, id)
    return versions.findLast(({ createdAt }) => createdAt <= at) ?? versions[0]
  }

  /** Calls the listener with the id of a project whose surveys have changed. */
  onChange(listener: (projectId: number) => void): () => void {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Resolves once every change that was announced until now is known here, or could not be read. */
  async caughtUp(): Promise<void> {
    await this.loop.caughtUp()
  }

  async close(): Promise<void> {
    this.stopListening()
    this.listeners.clear()
    await this.loop.close()
  }

  /** Content is large and seldom changes: only surveys with another revision than the known one are read. */
  private async read(): Promise<Map<number, SurveysById>> {
    const stamps = Map.groupBy(await everyStamp(this.dependencies.store), ({ projectId }) => projectId)
    const projects = new Map<number, SurveysById>()
    for (const [projectId, own] of stamps) projects.set(projectId, await this.readProject(projectId, own))
    return projects
  }

  private async readProject(projectId: number, stamps: readonly SurveyStamp[]): Promise<SurveysById> {
    const { store } = this.dependencies
    const known: SurveysById = this.byProject.get(projectId) ?? new Map<string, CachedSurvey>()
    const isKnown = ({ id, revision }: SurveyStamp) => known.get(id)?.survey.revision === revision
    if (stamps.length === known.size && stamps.every(isKnown)) return known
    const changed = stamps.filter((stamp) => !isKnown(stamp)).map(({ id }) => id)
    const read = new Map<string, CachedSurvey>()
    for (const survey of await surveysWithIds(store, projectId, changed))
      read.set(survey.id, { survey, versions: await versionsOf(store, projectId, survey.id) })
    const current = stamps.flatMap(({ id }): [string, CachedSurvey][] => {
      const found = read.get(id) ?? known.get(id)
      return found ? [[id, found]] : []
    })
    return new Map(current)
  }

  private replace(projects: ReadonlyMap<number, SurveysById>): void {
    const before = this.byProject
    const lists = new Map<number, readonly Survey[]>()
    for (const [projectId, own] of projects) {
      const unchanged = before.get(projectId) === own ? this.lists.get(projectId) : undefined
      lists.set(projectId, unchanged ?? [...own.values()].map(({ survey }) => survey))
    }
    this.byProject = projects
    this.lists = lists
    for (const projectId of new Set([...before.keys(), ...projects.keys()]))
      if (before.get(projectId) !== projects.get(projectId)) this.notify(projectId)
  }

  private notify(projectId: number): void {
    for (const listener of this.listeners) listener(projectId)
  }
}
