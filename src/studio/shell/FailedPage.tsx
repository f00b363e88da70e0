import { lazy, Suspense } from 'react'

export interface PageFailure {
  error: unknown
  retry: () => void
}

/** Loaded when a page fails: otherwise every page would load what its failure is shown with. */
const FailureDetails = lazy(async () => {
  try {
    return { default: (await import('./FailureDetails')).FailureDetails }
  } catch {
    return { default: PlainFailure }
  }
})

/** Replaces a page that threw an exception. */
export const FailedPage = (failure: PageFailure) => (
  <Suspense>
    <FailureDetails {...failure} />
  </Suspense>
)

/** The message when no more code can be loaded. */
const PlainFailure = ({ retry }: PageFailure) => (
  <div role="alert" className="mx-auto max-w-md px-6 py-12 text-center">
    <p className="text-base font-semibold">This page could not be shown</p>
    <button type="button" className="mt-4 underline underline-offset-2" onClick={retry}>
      Try again
    </button>
  </div>
)
