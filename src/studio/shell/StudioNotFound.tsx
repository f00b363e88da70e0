import { MissingPage } from './MissingPage'

export function StudioNotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <MissingPage />
    </main>
  )
}
