import type { KindResult } from '../kind-result'

export const link: KindResult<'link'> = { draw: () => ({ shape: 'none' }) }
