/** The `react` of server components: hooks that need a browser throw a clear error instead of failing elsewhere. */
// @ts-expect-error its types are those of a CommonJS module; esbuild passes its names on
export * from 'react'
export { default } from 'react'

const inClientOnly = (name: string) => (): never => {
  throw new Error(
    `${name} works in client components only. Write 'use client' into the first line of the file that calls it.`,
  )
}

export const useState = inClientOnly('useState')
export const useReducer = inClientOnly('useReducer')
export const useEffect = inClientOnly('useEffect')
export const useLayoutEffect = inClientOnly('useLayoutEffect')
export const useInsertionEffect = inClientOnly('useInsertionEffect')
export const useSyncExternalStore = inClientOnly('useSyncExternalStore')
export const useRef = inClientOnly('useRef')
export const useTransition = inClientOnly('useTransition')
export const useOptimistic = inClientOnly('useOptimistic')
export { useActionState } from './form-actions'
