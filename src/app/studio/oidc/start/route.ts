export { GET } from '#studio/sign-in/oidc-start-route'
