import { describe } from 'vitest'
import { aFolder } from '#test/product/fixture'
import { describeOnPostgres } from '#test/outside/postgres'
import { storeContract } from './store.contract'

describe('the store in a file', () => storeContract(async () => ({ folder: aFolder() })))

describeOnPostgres('the store', (emptyDatabase) =>
  storeContract(async () => ({ folder: aFolder(), url: await emptyDatabase() })),
)
