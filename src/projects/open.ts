import type { OpenedModule } from '#jobs/jobs'
import { Audit } from './audit'
import { type EnvironmentMail, MailAccount, type MailAccountDependencies } from './internal/mail-account'
import { Invitations } from './invitations'
import { Keys } from './keys'
import { MailServer } from './mail-server'
import { Members } from './members'
import { Projects } from './projects'

type ProjectsDependencies = Parameters<typeof Projects.open>[0]

interface ProjectServicesDependencies extends ProjectsDependencies {
  mailAccount: MailAccount
}

/** Projects, their members, keys and audit log, and the mail server of the installation. */
export class ProjectServices extends Projects {
  readonly members: Members
  readonly invitations: Invitations
  readonly keys: Keys
  readonly audit: Audit
  readonly mailServer: MailServer

  constructor(dependencies: ProjectServicesDependencies) {
    super(dependencies)
    const { store, world, mailAccount: account } = dependencies
    this.members = new Members({ store, world })
    this.invitations = new Invitations({ store, world })
    this.keys = new Keys({ store, world })
    this.audit = new Audit({ store, world })
    this.mailServer = new MailServer({ store, world, account })
  }
}

interface OpenProjectsDependencies extends ProjectsDependencies {
  /** Encrypts the password of the mail server at rest. */
  seal: MailAccountDependencies['seal']
  environmentMail: EnvironmentMail
}

interface OpenedProjects extends OpenedModule<ProjectServices> {
  /** For the services that send e-mails; pages get `mailServer`, which checks rights. */
  mailAccount: Pick<MailAccount, 'canMail' | 'settings'>
}

export async function openProjects({
  store,
  world,
  intake,
  answers,
  otherKeys,
  previews,
  onTrouble,
  seal,
  environmentMail: environment,
}: OpenProjectsDependencies): Promise<OpenedProjects> {
  const mailAccount = new MailAccount({ store, seal, environment, onTrouble })
  const projects = await ProjectServices.open({
    store,
    world,
    intake,
    answers,
    otherKeys,
    previews,
    onTrouble,
    mailAccount,
  })
  await mailAccount.load()
  return {
    services: projects,
    mailAccount,
    jobs: [],
    staleMs: () => ({ projects: projects.staleMs, 'mail server': mailAccount.staleMs }),
    caughtUp: async () => {
      await Promise.all([projects.caughtUp(), mailAccount.caughtUp()])
    },
    close: async () => {
      await Promise.all([projects.close(), mailAccount.close()])
    },
  }
}
