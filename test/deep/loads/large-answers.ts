import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ProductProcess } from '../crashlab/product-process'
import { askedByApi } from '../crashlab/stored-by-api'

const rows = 10_000

/** Asks for so many pages of 10,000 rows, one after the other, each of which is another query. Returns what went wrong. */
export async function askForLargeAnswers({
  memory,
  answers,
}: {
  memory: string
  answers: number
}): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'tilth-loads-'))
  const failures: string[] = []
  const tilth = new ProductProcess(join(folder, 'data'), { TILTH_MEMORY: memory }, (failure) =>
    failures.push(failure),
  )
  try {
    await tilth.start()
    for (let page = 0; page < answers && failures.length === 0; page++) {
      const text = `select concat('${page} ', toString(n), repeat(' of many', 20)) as id, n from (select arrayJoin(range(${rows})) as n) limit ${rows}`
      const found = await askedByApi(tilth, text).catch((problem: unknown) => failures.push(String(problem)))
      if (Array.isArray(found) && found.length !== rows) failures.push(`a page had ${found.length} rows`)
    }
    return failures
  } finally {
    await tilth.killFront('SIGTERM')
    await rm(folder, { recursive: true, force: true })
  }
}
