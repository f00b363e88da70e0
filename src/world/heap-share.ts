import { getHeapStatistics } from 'node:v8'

/** A share of this process's heap limit, in bytes, for what may grow with `TILTH_MEMORY`. */
export const heapShare = (share: number): number => Math.floor(getHeapStatistics().heap_size_limit * share)
