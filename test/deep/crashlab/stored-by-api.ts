import { eventName } from './product-clients'
import { type ProductProcess, secretKey } from './product-process'

/** Numbered events, each with how often it is stored. */
export type StoredNumbers = readonly { uuid: string; times: number }[]

/** The rows that answer a statement, as a program with a secret key asks for them. */
export async function askedByApi(front: ProductProcess, statement: string): Promise<unknown[][]> {
  const answer = await fetch(`${front.address}/api/v1/projects/acme/query?fresh`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secretKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ sql: statement }),
  })
  if (!answer.ok) throw new Error(`The question was answered ${answer.status}: ${await answer.text()}`)
  const { rows } = (await answer.json()) as { rows: unknown[][] } // as docs/sql.md says
  return rows
}

/** Every numbered event with how often it is stored. */
export async function numberedByApi(front: ProductProcess): Promise<StoredNumbers> {
  const found: { uuid: string; times: number }[] = []
  const most = 10_000
  for (let after = ''; ; after = found.at(-1)?.uuid ?? '') {
    const text = `select toString(uuid) as id, count() as times from events where event = '${eventName}' and toString(uuid) > '${after}' group by id order by id limit ${most}`
    const rows = await askedByApi(front, text)
    for (const [uuid, times] of rows) found.push({ uuid: String(uuid), times: Number(times) })
    if (rows.length < most) return found
  }
}
