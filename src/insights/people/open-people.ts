import type { Cohorts } from '#persons/cohorts/cohorts'
import { Erasures } from '#persons/erasures/erasures'
import { PersonSplits } from '#persons/splits/splits'
import type { Store } from '#store/store'
import type { World } from '#world/world'
import type { Insights } from '../ask'
import { PersonLists } from './person-lists'
import { PersonDirectory } from './person-directory'

interface PeopleDependencies {
  store: Store
  world: World
  insights: Insights
  cohorts: Cohorts
}

/** Persons, and the lists and corrections of them. */
export interface PeopleServices extends PersonDirectory {
  readonly cohorts: Cohorts
  /** Saved lists of persons. */
  readonly lists: PersonLists
  readonly erasures: Erasures
  /** Undone merges of persons. */
  readonly splits: PersonSplits
}

export const openPeople = (dependencies: PeopleDependencies): PeopleServices =>
  Object.assign(new PersonDirectory(dependencies), {
    cohorts: dependencies.cohorts,
    lists: new PersonLists(dependencies),
    erasures: new Erasures(dependencies),
    splits: new PersonSplits(dependencies),
  })
