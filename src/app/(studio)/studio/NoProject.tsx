import type { Metadata } from 'next'
import type { MemberViewer } from '#projects/access'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { LinkButton } from '#ui/LinkButton'
import { paths } from '../../paths'
import { AccessPage } from './(door)/AccessPage'
import { SignOutButton } from './SignOutButton'

export const metadata: Metadata = { title: 'No project' }

/** Shown to a member without a project: not invited yet, or left. */
export function NoProject({ viewer }: { viewer: MemberViewer }) {
  return (
    <AccessPage>
      <EmptyMessage
        title="You belong to no project"
        body={`You are signed in as ${viewer.email}. Ask an owner of a project for an invitation; its link brings you in.`}
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
