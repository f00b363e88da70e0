import type { KindResult } from '../kind-result'

export const open: KindResult<'open'> = { draw: () => ({ shape: 'texts' }), isWide: true }
