export { GET } from '#studio/sign-in/oidc-callback-route'
