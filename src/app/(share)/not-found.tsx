import { EmptyMessage } from '../../ui/EmptyMessage'

export default function ShareNotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyMessage
        title="There is nothing to see here"
        body="The link is wrong, it was revoked, or its time is over. Ask whoever gave it to you for another."
      />
    </main>
  )
}
