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
export class PeopleServices extends PersonDirectory {
  readonly cohorts: Cohorts
  /** Saved lists of persons. */
  readonly lists: PersonLists
  readonly erasures: Erasures
  /** Undone merges of persons. */
  readonly splits: PersonSplits

  constructor({ store, world, insights, cohorts }: PeopleDependencies) {
    super({ store, world, insights, cohorts })
    this.cohorts = cohorts
    this.lists = new PersonLists({ store, world })
    this.erasures = new Erasures({ store, world })
    this.splits = new PersonSplits({ store, world })
  }
}

export const openPeople = (dependencies: PeopleDependencies): PeopleServices =>
  new PeopleServices(dependencies)
