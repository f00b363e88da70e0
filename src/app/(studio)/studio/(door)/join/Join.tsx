'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import type { InvitationOffer } from '../../../../../projects/invitations'
import { EmptyMessage } from '../../../../../ui/EmptyMessage'
import { FailedMessage } from '../../../../../ui/FailedMessage'
import { LinkButton } from '../../../../../ui/LinkButton'
import { Loading, Skeleton } from '../../../../../ui/Skeleton'
import { paths } from '../../../../paths'
import { roleWords } from '../../../roles'
import { DoorSheet } from '../Door'
import { AcceptForms } from './AcceptForms'
import { readOffer } from './join'

export interface Joiner {
  name: string
  email: string
}

type Reading = 'under way' | 'failed' | { offer: InvitationOffer | undefined }

/** An invitation. Its token never leaves the browser but in the body of a request. */
export function Join({ viewer }: { viewer?: Joiner }) {
  const token = useFragment()

  if (token === '') return <NoLink />
  return token === undefined ? <Opening /> : <Opened key={token} token={token} viewer={viewer} />
}

function Opened({ token, viewer }: { token: string; viewer?: Joiner }) {
  const reading = useOffer(token)

  if (reading === 'under way') return <Opening />
  if (reading === 'failed') return <Unread />
  if (!reading.offer) return <Gone />

  const { projectName, role, invitedBy } = reading.offer
  return (
    <DoorSheet
      title={`Join ${projectName}`}
      description={`${invitedBy} invites you as ${role}. ${roleWords[role]}`}
    >
      <AcceptForms token={token} offer={reading.offer} viewer={viewer} />
    </DoorSheet>
  )
}

/** Undefined until there is a browser to ask. */
function useFragment(): string | undefined {
  return useSyncExternalStore(
    onFragmentChange,
    () => location.hash.slice(1),
    () => undefined,
  )
}

function onFragmentChange(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

function useOffer(token: string): Reading {
  const [reading, setReading] = useState<Reading>('under way')

  useEffect(() => {
    readOffer(token).then(
      (offer) => setReading({ offer }),
      () => setReading('failed'),
    )
  }, [token])

  return reading
}

const Opening = () => (
  <Loading label="Opening the invitation">
    <Skeleton className="h-8 w-56" />
    <Skeleton className="mt-3 h-4 w-80" />
    <Skeleton className="mt-6 h-64 w-full" />
  </Loading>
)

const NoLink = () => (
  <EmptyMessage
    title="This link is not whole"
    body="The part behind “#” is missing. Copy the invitation once more, all of it."
    action={<LinkButton href={paths.studio}>Go to the studio</LinkButton>}
  />
)

const Gone = () => (
  <EmptyMessage
    title="This invitation is no longer valid"
    body="It has been used, taken back, or is older than seven days. Ask whoever sent it for a new one."
    action={<LinkButton href={paths.studio}>Go to the studio</LinkButton>}
  />
)

const Unread = () => (
  <FailedMessage
    title="The invitation could not be read"
    body="The server did not answer. The invitation is as good as before."
    onRetry={() => location.reload()}
  />
)
