export { POST } from '#studio/sign-in/sign-out-route'
