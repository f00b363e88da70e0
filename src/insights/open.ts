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

/** Questions and their answers, and the lists that questions are made of. */
export interface InsightServices extends Insights {
  readonly latest: LatestEvents
  readonly names: NameSuggestions
  readonly catalogue: Catalogue
  readonly definitions: DataDefinitions
  readonly saved: SavedInsights
  readonly annotations: Annotations
  readonly goals: Goals
  readonly segments: Segments
}

export function openInsights({ cohorts, ...dependencies }: InsightServicesDependencies): InsightServices {
  const insights = new Insights({
    ...dependencies,
    cohorts: async (projectId) => cohortReader(await cohorts.membership(projectId)),
  })
  const definitions = new DataDefinitions(dependencies)
  const names = new NameSuggestions(insights, definitions)
  return Object.assign(insights, {
    latest: new LatestEvents(dependencies.engine),
    names,
    catalogue: new Catalogue({ insights, names, definitions }),
    definitions,
    saved: new SavedInsights({ ...dependencies, insights }),
    annotations: new Annotations(dependencies),
    goals: new Goals(dependencies),
    segments: new Segments(dependencies),
  })
}
