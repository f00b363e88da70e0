import type { Engine } from '#engine/engine'
import type { Cohorts } from '#persons/cohorts/cohorts'
import type { Projects } from '#projects/projects'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import { Annotations } from './annotations/annotations'
import { Insights, type InsightsDependencies } from './ask'
import { Catalogue } from './catalogue/catalogue'
import { DataDefinitions } from './catalogue/definitions'
import { LatestEvents } from './compile/latest'
import { Goals } from './goals/goals'
import { cohortReader } from './people/internal/cohort-members'
import { SavedInsights } from './saved/saved-insights'
import { Segments } from './segments/segments'
import { NameSuggestions } from './text/name-suggestions'

interface InsightServicesDependencies extends Omit<InsightsDependencies, 'cohorts' | 'engine' | 'projects'> {
  store: Store
  world: World
  engine: Pick<Engine, 'query' | 'queryFile' | 'command'>
  projects: Projects
  cohorts: Cohorts
}

/** Queries and their answers, and the lists that queries are made of. */
export class InsightServices extends Insights {
  readonly latest: LatestEvents
  readonly names: NameSuggestions
  readonly catalogue: Catalogue
  readonly definitions: DataDefinitions
  readonly saved: SavedInsights
  readonly annotations: Annotations
  readonly goals: Goals
  readonly segments: Segments

  constructor({
    store,
    world,
    engine,
    projects,
    cohorts,
    written,
    surveys,
    removedSubmissions,
    dailyTotals,
    waiting,
    exactUpTo,
  }: InsightServicesDependencies) {
    super({
      world,
      engine,
      projects,
      cohorts: async (projectId) => cohortReader(await cohorts.membership(projectId)),
      written,
      surveys,
      removedSubmissions,
      dailyTotals,
      waiting,
      exactUpTo,
    })
    this.latest = new LatestEvents(engine)
    this.definitions = new DataDefinitions({ store, world })
    this.names = new NameSuggestions(this, this.definitions)
    this.catalogue = new Catalogue({ insights: this, names: this.names, definitions: this.definitions })
    this.saved = new SavedInsights({ store, world, insights: this })
    this.annotations = new Annotations({ store, world })
    this.goals = new Goals({ store, world })
    this.segments = new Segments({ store, world })
  }
}

export const openInsights = (dependencies: InsightServicesDependencies): InsightServices =>
  new InsightServices(dependencies)
