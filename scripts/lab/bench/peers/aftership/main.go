// Asks about u0@d0.test, u0@d1.test … with AfterShip's library. It takes a load and prints figures as load.ts says.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	emailverifier "github.com/AfterShip/email-verifier"
)

type load struct {
	Domains       int `json:"domains"`
	Concurrency   int `json:"concurrency"`
	WarmUpDomains int `json:"warmUpDomains"`
}

type figures struct {
	WallMs   float64        `json:"wallMs"`
	CPUMs    float64        `json:"cpuMs"`
	Outcomes map[string]int `json:"outcomes"`
}

var verifier = emailverifier.NewVerifier().
	EnableSMTPCheck().
	HelloName("probe.bench.test").
	FromEmail("probe@bench.test")

func isAccepted(domain int) bool {
	result, err := verifier.Verify(fmt.Sprintf("u0@d%d.test", domain))
	return err == nil && result.SMTP != nil && result.SMTP.Deliverable && !result.SMTP.CatchAll
}

// Asks about so many domains from the first one on, and counts those that accept.
func run(concurrency, first, count int) int {
	var next, accepted atomic.Int64
	var lanes sync.WaitGroup
	for range concurrency {
		lanes.Add(1)
		go func() {
			defer lanes.Done()
			for at := int(next.Add(1)) - 1; at < count; at = int(next.Add(1)) - 1 {
				if isAccepted(first + at) {
					accepted.Add(1)
				}
			}
		}()
	}
	lanes.Wait()
	return int(accepted.Load())
}

func cpu() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		log.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

func main() {
	var asked load
	if err := json.Unmarshal([]byte(os.Args[1]), &asked); err != nil {
		log.Fatal(err)
	}
	run(asked.Concurrency, asked.Domains, asked.WarmUpDomains)
	usedBefore, started := cpu(), time.Now()
	accepted := run(asked.Concurrency, 0, asked.Domains)
	measured := figures{
		WallMs:   float64(time.Since(started).Microseconds()) / 1000,
		CPUMs:    float64((cpu() - usedBefore).Microseconds()) / 1000,
		Outcomes: map[string]int{"accepted": accepted},
	}
	if err := json.NewEncoder(os.Stdout).Encode(measured); err != nil {
		log.Fatal(err)
	}
}
