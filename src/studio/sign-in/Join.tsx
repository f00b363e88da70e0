'use client'

import { useEffect, useState, useSyncExternalStore } from 'react'
import type { InvitationOffer } from '#projects/invitations'
import { EmptyMessage } from '#ui/page/EmptyMessage'
import { FailedMessage } from '#ui/page/FailedMessage'
import { LinkButton } from '#ui/LinkButton'
import { Loading, Skeleton } from '#ui/page/Skeleton'
import { paths } from '#studio/paths'
import { roleDescriptions } from '#studio/parts/roles'
import { AccessCard } from './AccessPage'
import { AcceptForms } from './AcceptForms'
import { readOffer } from './join'

export interface JoiningViewer {
  name: string
  email: string
}

type OfferState = 'under way' | 'failed' | { offer: InvitationOffer | undefined }

/** An invitation. Its token never leaves the browser but in the body of a request. */
export function Join({ viewer }: { viewer?: JoiningViewer }) {
  const token = useFragment()

  if (token === '') return <MissingInvitationLink />
  return token === undefined ? (
    <InvitationLoading />
  ) : (
    <OpenedInvitation key={token} token={token} viewer={viewer} />
  )
}

function OpenedInvitation({ token, viewer }: { token: string; viewer?: JoiningViewer }) {
  const reading = useOffer(token)

  if (reading === 'under way') return <InvitationLoading />
  if (reading === 'failed') return <UnreadableInvitation />
  if (!reading.offer) return <ExpiredInvitation />

  const { projectName, role, invitedBy } = reading.offer
  return (
    <AccessCard
      title={`Join ${projectName}`}
      description={`${invitedBy} invites you as ${role}. ${roleDescriptions[role]}`}
    >
      <AcceptForms token={token} offer={reading.offer} viewer={viewer} />
    </AccessCard>
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

function useOffer(token: string): OfferState {
  const [reading, setReading] = useState<OfferState>('under way')

  useEffect(() => {
    readOffer(token).then(
      (offer) => setReading({ offer }),
      () => setReading('failed'),
    )
  }, [token])

  return reading
}

const InvitationLoading = () => (
  <Loading label="Opening the invitation">
    <Skeleton className="h-8 w-56" />
    <Skeleton className="mt-3 h-4 w-80" />
    <Skeleton className="mt-6 h-64 w-full" />
  </Loading>
)

const MissingInvitationLink = () => (
  <EmptyMessage
    title="This link is incomplete"
    body="The part after “#” is missing. Copy the whole link."
    action={<LinkButton href={paths.studio}>Go to the studio</LinkButton>}
  />
)

const ExpiredInvitation = () => (
  <EmptyMessage
    title="This invitation is no longer valid"
    body="It was used, revoked or has expired. Ask the sender for a new one."
    action={<LinkButton href={paths.studio}>Go to the studio</LinkButton>}
  />
)

const UnreadableInvitation = () => (
  <FailedMessage
    title="The invitation could not be read"
    body="The server did not respond. Check your connection, then reload the page."
    onRetry={() => location.reload()}
  />
)
