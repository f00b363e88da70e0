import { expect, test } from 'vitest'
import { readExport } from '#test/product/import-source-fixture'
import { type ImportSourceName, importSources } from './sources'

test.each(Object.keys(importSources) as ImportSourceName[])(
  '%s: rows of another product are left out, each with a reason',
  async (name) => {
    const { rows, events, dropped } = await readExport(name, [{ anything: 1 }, { other: null }], 'a,b\n1,2\n')
    expect({ rows, events }).toEqual({ rows: 3, events: [] })
    expect(Object.values(dropped).reduce((sum, amount) => sum + amount, 0)).toBeGreaterThan(0)
  },
)
