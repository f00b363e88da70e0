import type { MemberViewer } from '#projects/access'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { paths } from '#studio/paths'
import { AccessPage } from '#studio/sign-in/AccessPage'
import { SignOutButton } from '#studio/shell/SignOutButton'

/** Shown to a member without a project: not invited yet, or left. */
export function NoProject({ viewer }: { viewer: MemberViewer }) {
  return (
    <AccessPage>
      <EmptyMessage
        title="No projects yet"
        body={`You are signed in as ${viewer.email}. Ask a project owner for an invitation link.`}
        action={
          <>
            <LinkButton href={paths.account}>Your account</LinkButton>
            <SignOutButton />
          </>
        }
      />
    </AccessPage>
  )
}
