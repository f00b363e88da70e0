import type { KindResult } from '../kind-result'

export const statement: KindResult<'statement'> = { draw: () => ({ shape: 'none' }) }
