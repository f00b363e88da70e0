import type { Cohorts } from '#persons/cohorts/cohorts'
import { Erasures } from '#persons/erasures/erasures'
import { PersonSplits } from '#persons/splits/splits'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Insights } from '../ask'
import { PersonLists } from './lists/person-lists'
import { PersonDirectory } from './person-directory'

interface PeopleDependencies {
  store: Store
  world: World
  insights: Insights
  cohorts: Cohorts
}

/** The services for persons. */
export interface PeopleParts {
  people: PersonDirectory
  cohorts: Cohorts
  /** Saved lists of persons. */
  personLists: PersonLists
  erasures: Erasures
  /** Undone merges of persons. */
  personSplits: PersonSplits
}

export const openPeople = (dependencies: PeopleDependencies): PeopleParts => ({
  people: new PersonDirectory(dependencies),
  cohorts: dependencies.cohorts,
  personLists: new PersonLists(dependencies),
  erasures: new Erasures(dependencies),
  personSplits: new PersonSplits(dependencies),
})
