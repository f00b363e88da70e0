export { AccessPage as default } from '#studio/sign-in/AccessPage'
