import { Button } from '#ui/Button'
import { paths } from '#studio/paths'

/** A plain form: signing out loads a new document, so that nothing of the old one stays in memory. */
export function SignOutButton({ label = 'Sign out' }: { label?: string }) {
  return (
    <form method="post" encType="multipart/form-data" action={paths.signOut}>
      <Button type="submit">{label}</Button>
    </form>
  )
}
