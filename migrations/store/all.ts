import type { Kysely } from 'kysely'
import { members } from './0001-members'
import { persons } from './0002-persons'

export interface StoreMigration {
  /** Numbered: the name's order is the order of the steps, and a name never changes once released. */
  name: string
  up(tables: Kysely<unknown>, form: 'sqlite' | 'postgres'): Promise<void>
}

export const storeMigrations: readonly StoreMigration[] = [members, persons]
