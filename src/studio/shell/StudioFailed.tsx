import { FailedPage, type PageFailure } from './FailedPage'

export function StudioFailed(failure: PageFailure) {
  return (
    <main className="grid min-h-dvh place-items-center">
      <FailedPage {...failure} />
    </main>
  )
}
