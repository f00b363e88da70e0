import { type ComponentType, lazy, Suspense } from 'react'
import { Skeleton } from '#ui/page/Skeleton'

/**
 * A panel that is loaded when it is first shown, for files with 'use client' alone: a panel that a page of the server
 * loads itself would be part of that page. Until it is there, a placeholder of that size is shown, or nothing.
 */
export function lazyPanel<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  placeholder?: string,
): ComponentType<Props> {
  const Panel = lazy(async () => ({ default: await load() })) as ComponentType<Props> // which React draws as it draws these
  return function LazyPanel(props) {
    return (
      <Suspense fallback={placeholder && <Skeleton className={placeholder} />}>
        <Panel {...props} />
      </Suspense>
    )
  }
}
