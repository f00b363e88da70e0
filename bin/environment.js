// Everything that is loaded before the right Node is found must be readable by Node 20.9.

const isSecret = (name) =>
  /^(?:TILTH_|PG)|PASS|SECRET|TOKEN|CREDENTIAL|PRIVATE|(?:API|ACCESS)_?KEY/i.test(name)

/** The variables that npm itself needs to reach a registry. */
const isForNpm = (name) => /^(?:npm_|NODE_AUTH_TOKEN$|(?:https?|all|no)_proxy$)/i.test(name)

/** An address with a password, such as a database's. */
const holdsPassword = (value) => /^[a-z][a-z\d+.-]*:\/\/[^/?#]*:[^/?#]*@/i.test(value)

/** The environment for a program that needs none of our secrets. */
export const withoutSecrets = (environment) =>
  Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) => isForNpm(name) || !(isSecret(name) || holdsPassword(value)),
    ),
  )
