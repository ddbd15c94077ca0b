module rcpt/scripts/bench/peers/aftership

go 1.22

require github.com/AfterShip/email-verifier v1.4.1

require (
	github.com/hbollon/go-edlib v1.6.0 // indirect
	golang.org/x/net v0.29.0 // indirect
	golang.org/x/text v0.18.0 // indirect
)
