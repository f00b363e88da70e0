import type { Kysely } from 'kysely'
import type { StoreMigration } from './all'

/** Layers, whose flags share no visitor. The slices are in the definitions of flags. */
export const flagLayers: StoreMigration = {
  name: '0028-flag-layers',
  async up({ schema }: Kysely<unknown>) {
    await schema
      .createTable('flag_layers')
      .addColumn('project_id', 'integer', (column) => column.notNull().references('projects.id'))
      .addColumn('id', 'integer', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('flag_layers_key', ['project_id', 'id'])
      .execute()
  },
}
