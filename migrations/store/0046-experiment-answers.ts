import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** The last answers about experiments, and what was told of them. */
export const experimentAnswers: StoreMigration = {
  name: '0046-experiment-answers',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('experiment_answers')
      .addColumn('experiment_id', 'text', (column) => column.notNull().references('experiments.id'))
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('wanted_at', 'text')
      .addColumn('tried_at', 'text')
      .addColumn('kept', 'text')
      .addPrimaryKeyConstraint('experiment_answers_key', ['experiment_id', 'about'])
      .execute()
    await schema
      .createTable('experiment_notices')
      .addColumn('experiment_id', 'text', (column) => column.notNull().references('experiments.id'))
      .addColumn('about', 'text', (column) => column.notNull())
      .addColumn('at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('experiment_notices_key', ['experiment_id', 'about'])
      .execute()
  },
}
