import type { Metadata } from 'next'
import type { MemberViewer } from '../../../projects/access'
import { EmptyMessage } from '../../../ui/EmptyMessage'
import { LinkButton } from '../../../ui/LinkButton'
import { paths } from '../../paths'
import { Door } from './(door)/Door'
import { SignOutButton } from './SignOutButton'

export const metadata: Metadata = { title: 'No project' }

/** For a member whom nobody has invited yet, or who has left. */
export function NoProject({ viewer }: { viewer: MemberViewer }) {
  return (
    <Door>
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
    </Door>
  )
}
