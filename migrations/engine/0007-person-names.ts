import type { Migration } from '#engine/migrate'
import { sql } from '#engine/sql'

/** The id that a person's coined name is made of: their own, unless they were identified or merged. */
export const personNames: Migration = {
  number: 7,
  name: 'person-names',
  statements: () => [sql`alter table persons add column if not exists name_id UUID default person_id`],
}
