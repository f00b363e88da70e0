import { EmptyMessage } from '#ui/page/EmptyMessage'

export default function ShareNotFound() {
  return (
    <main className="grid min-h-dvh place-items-center">
      <EmptyMessage
        title="There is nothing to see here"
        body="The link is wrong, revoked or expired. Ask the person who sent it for a new one."
      />
    </main>
  )
}
