import type { Metadata } from 'next'
import { Badge } from '#ui/Badge'
import type { OidcSettings } from '#projects/oidc-settings'
import { DescriptionList } from '#ui/DescriptionList'
import { Page } from '#ui/page/Page'
import { getProduct } from '#app/product'
import { requireViewer } from '#app/viewer'
import { Section, Sections } from '#app/(studio)/Section'
import { RequireSecondFactor } from './RequireSecondFactor'

export const metadata: Metadata = { title: 'Sign-in' }

export default async function InstallationPage() {
  const viewer = await requireViewer()
  const { signInRules, passwordResets, passkeys, oidc } = getProduct()
  const { requireSecondFactor } = await signInRules.read(viewer)
  const mayChange = await signInRules.mayChange(viewer)

  return (
    <Page title="Sign-in" description="How members get into this Tilth, in every project of it.">
      <Sections>
        <Section
          title="Second factor"
          description="Members without one are asked to set it up before they see a project."
        >
          <RequireSecondFactor
            isRequired={requireSecondFactor}
            whyNot={mayChange ? undefined : 'Only an owner of every project here may change this.'}
          />
        </Section>
        <Section
          title="Sign-in by a provider"
          description="OpenID Connect, as TILTH_OIDC_… in the settings say."
        >
          {oidc ? <Provider {...oidc.settings} /> : <p className="text-muted">No provider is set.</p>}
        </Section>
        <Section title="Passkeys" description="They belong to the host of TILTH_URL.">
          <Status isOn={passkeys.objection === undefined} otherwise={passkeys.objection} />
        </Section>
        <Section title="Forgotten passwords" description="Links are sent by mail where TILTH_SMTP is set.">
          <Status
            isOn={passwordResets.canMail}
            otherwise="There is no mail server: links are made with “tilth member reset-link”."
          />
        </Section>
      </Sections>
    </Page>
  )
}

function Provider({
  name,
  issuer,
  isRequired,
  mayJoin,
  domains,
  groupRoles,
}: Omit<OidcSettings, 'clientSecret'>) {
  const facts = [
    { term: 'Name', value: name },
    { term: 'Issuer', value: issuer, mono: true },
    { term: 'Other ways in', value: isRequired ? 'None' : 'Passwords and passkeys' },
    { term: 'New members', value: mayJoin ? 'Join at the first sign-in' : 'By invitation to their address' },
    { term: 'Domains', value: domains.join(', ') || 'Every one' },
    {
      term: 'Groups',
      value:
        groupRoles.map(({ group, project, role }) => `${group}: ${role} of ${project}`).join(', ') ||
        'Give no roles',
    },
  ]
  return <DescriptionList facts={facts} />
}

function Status({ isOn, otherwise }: { isOn: boolean; otherwise: string | undefined }) {
  return isOn ? <Badge tone="success">Available</Badge> : <p className="text-muted">{otherwise}</p>
}
