import { z } from 'zod'
import { exportInput } from '#exports/exports'
import { StreamedBody } from '#http/streamed-body'
import { type Endpoint, mapOutcome, success } from './endpoint'

const tableShape = z
  .object({
    table: z.enum(['events', 'sessions', 'persons', 'groups']),
    rows: z.number(),
    months: z
      .array(
        z.object({ month: z.string().meta({ description: 'In UTC, such as 2026-11' }), rows: z.number() }),
      )
      .optional(),
  })
  .meta({ id: 'ExportableTable' })

export const exportEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: '/projects/{project}/export',
    summary: 'Count what can be exported, by table and month',
    right: 'persons:write',
    alsoRights: ['events:read'],
    responseSchema: z.object({ tables: z.array(tableShape) }),
    handle: async ({ product, viewer, project }) =>
      success({ tables: await product.exports.tables(project().id, viewer) }),
  },
  {
    method: 'GET',
    path: '/projects/{project}/export/{table}',
    summary: 'Download events, sessions, persons or groups as JSON lines, CSV or Parquet',
    right: 'persons:write',
    alsoRights: ['events:read'],
    query: exportInput,
    // the fields are the columns of the table, and the properties that clients sent
    responseSchema: z.looseObject({}).meta({ description: 'One line a row' }),
    otherContentTypes: ['application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'],
    handle: async ({ product, viewer, project, query, pathParameter }) =>
      mapOutcome(
        await product.exports.open(project().id, pathParameter('table'), Object.fromEntries(query), viewer),
        ({ file: { contentType, name, parts } }) => new StreamedBody(contentType, name, parts),
      ),
  },
]
