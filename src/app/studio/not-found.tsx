import { MissingPage } from '#studio/shell/MissingPage'

export default function StudioNotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <MissingPage />
    </main>
  )
}
