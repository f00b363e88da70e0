import { describe } from 'vitest'
import { aFolder } from '../../test/ground'
import { onPostgres } from '../../test/postgres'
import { storeContract } from './store.contract'

describe('the store in a file', () => storeContract(async () => ({ folder: aFolder() })))

onPostgres('the store', (emptyDatabase) =>
  storeContract(async () => ({ folder: aFolder(), url: await emptyDatabase() })),
)
