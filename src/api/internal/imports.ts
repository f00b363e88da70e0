import { z } from 'zod'
import { instant } from '#collection/entry-shape'
import { type Import, importStates } from '#imports/import'
import { importPortion } from '#imports/import-portion'
import { newImport, type PortionResult } from '#imports/imports'
import type { Outcome } from '#projects/problems'
import { type Endpoint, mapOutcome, success } from './endpoint'

const importShape = z
  .object({
    id: z.string(),
    source: z.string(),
    name: z.string(),
    state: z.enum(importStates),
    until: instant.optional(),
    rows: z.number().meta({ description: 'Rows read so far' }),
    cursor: z.string().optional().meta({ description: 'Where the source is read on, as its portions said' }),
    kept: z.number().meta({ description: 'Rows that became events' }),
    sums: z
      .number()
      .meta({ description: 'Daily totals that were kept, of a product that exports no events' }),
    profiles: z.number().meta({ description: 'Persons and groups that were restored' }),
    dropped: z.record(z.string(), z.number()).meta({ description: 'Rows that were left out, by the reason' }),
    stored: z
      .number()
      .optional()
      .meta({ description: 'Events that are stored; fewer than kept if some were there already' }),
    firstAt: instant.optional(),
    lastAt: instant.optional(),
    createdBy: z.string(),
    createdAt: instant,
    changedAt: instant,
  })
  .meta({ id: 'Import' })

const shown = ({ projectId: _, fingerprint: __, ...one }: Import) => one
const answerOf = (outcome: Outcome<PortionResult>) =>
  mapOutcome(outcome, ({ retryAfterSeconds, ...done }) => ({
    import: shown(done.import),
    retryAfterSeconds,
  }))
const oneImport = z.object({ import: importShape })

export const importEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/imports',
    summary: 'List the imports from other products, the latest first',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: z.object({ imports: z.array(importShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ imports: (await product.imports.list(project().id, viewer)).map(shown) }),
  },
  {
    method: 'POST',
    path: '/projects/{project}/imports',
    summary: 'Begin an import, or continue one of the same files that was interrupted',
    right: 'persons:write',
    alsoRights: ['events:read'],
    input: newImport,
    responseSchema: oneImport,
    status: 201,
    handle: async ({ product, viewer, project, input }) =>
      mapOutcome(await product.imports.begin(project().id, input, viewer), (done) => ({
        import: shown(done.import),
      })),
  },
  {
    method: 'GET',
    path: '/projects/{project}/imports/{import}',
    summary: 'Read how far an import got',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: oneImport,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.imports.find(project().id, pathParameter('import'), viewer), (done) => ({
        import: shown(done.import),
      })),
  },
  {
    method: 'POST',
    path: '/projects/{project}/imports/{import}/events',
    summary: 'Add the next events of an import',
    right: 'persons:write',
    alsoRights: ['events:read'],
    input: importPortion,
    responseSchema: oneImport.extend({
      retryAfterSeconds: z
        .number()
        .optional()
        .meta({ description: 'Set if Tilth is busy and took nothing: send the same again after so long' }),
    }),
    handle: async ({ product, viewer, project, input, pathParameter }) =>
      answerOf(await product.imports.add(project().id, pathParameter('import'), input, viewer)),
    handleJson: async ({ product, viewer, project, pathParameter }, json) => {
      const outcome = await product.imports.addJson(project().id, pathParameter('import'), json, viewer)
      return outcome && answerOf(outcome)
    },
  },
  {
    method: 'POST',
    path: '/projects/{project}/imports/{import}/end',
    summary: 'End an import; its state is `done` once all its events are stored',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: oneImport,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.imports.end(project().id, pathParameter('import'), viewer), (done) => ({
        import: shown(done.import),
      })),
  },
  {
    method: 'DELETE',
    path: '/projects/{project}/imports/{import}',
    summary: 'Undo an import: delete its events, and persons who have no other event',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: oneImport,
    handle: async ({ product, viewer, project, pathParameter }) =>
      mapOutcome(await product.imports.undo(project().id, pathParameter('import'), viewer), (done) => ({
        import: shown(done.import),
      })),
  },
]
