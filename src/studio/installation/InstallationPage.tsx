import type { Metadata } from 'next'
import { Badge } from '#ui/Badge'
import type { OidcSettings } from '#projects/oidc-settings'
import { DescriptionList } from '#ui/DescriptionList'
import { Page } from '#ui/page/Page'
import { tilthCommand } from '#studio/tilth-command'
import { getProduct } from '#studio/product'
import { requireViewer } from '#studio/viewer'
import { Section, Sections } from '#studio/parts/Section'
import { RequireSecondFactor } from './RequireSecondFactor'

export const metadata: Metadata = { title: 'Sign-in' }

export async function InstallationPage() {
  const viewer = await requireViewer()
  const { rules: signInRules, passwordResets, passkeys, oidc } = getProduct().signIn
  const { requireSecondFactor } = await signInRules.read(viewer)
  const mayChange = await signInRules.mayChange(viewer)

  return (
    <Page title="Sign-in" description="How members of all projects sign in.">
      <Sections>
        <Section
          title="Two-factor authentication"
          description="Members set it up before they can open a project."
        >
          <RequireSecondFactor
            isRequired={requireSecondFactor}
            whyNot={mayChange ? undefined : 'Only owners of all projects can change this.'}
          />
        </Section>
        <Section title="Single sign-on" description="OpenID Connect, configured by TILTH_OIDC_….">
          {oidc ? <Provider {...oidc.settings} /> : <p className="text-muted">No provider configured.</p>}
        </Section>
        <Section title="Passkeys" description="Bound to the host of TILTH_URL.">
          <Status isOn={passkeys.objection === undefined} otherwise={passkeys.objection} />
        </Section>
        <Section title="Password reset" description="Reset links are sent by e-mail.">
          <Status
            isOn={passwordResets.canMail}
            otherwise={`E-mail isn’t set up. Create links with “${tilthCommand('member reset-link')}”.`}
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
    { term: 'Other methods', value: isRequired ? 'None' : 'Passwords and passkeys' },
    { term: 'New members', value: mayJoin ? 'Join at first sign-in' : 'By invitation' },
    { term: 'Domains', value: domains.join(', ') || 'All' },
    {
      term: 'Groups',
      value:
        groupRoles.map(({ group, project, role }) => `${group}: ${role} of ${project}`).join(', ') ||
        'Do not grant roles',
    },
  ]
  return <DescriptionList facts={facts} />
}

function Status({ isOn, otherwise }: { isOn: boolean; otherwise: string | undefined }) {
  return isOn ? <Badge tone="success">Available</Badge> : <p className="text-muted">{otherwise}</p>
}
