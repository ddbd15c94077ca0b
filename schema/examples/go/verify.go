//go:build ignore

// Verifies addresses from standard input, one per line: go run verify.go < list.txt
// It reads the service's address from RCPT_URL, and your key from RCPT_API_KEY.
package main

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"io"
	"log"
	mathrand "math/rand"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// A Result has more fields than these: take what you need.
type Result struct {
	Email  string  `json:"email"`
	Status string  `json:"status"`
	Score  int     `json:"score"`
	Reason *string `json:"reason"`
}

var client = http.Client{Timeout: 100 * time.Second}

// ask asks once. After an error it may be asked again, the wait at the earliest.
func ask(body []byte, key string) (results []Result, wait time.Duration, err error) {
	request, err := http.NewRequest(http.MethodPost, os.Getenv("RCPT_URL")+"/api/v1/verify", bytes.NewReader(body))
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("RCPT_API_KEY"))
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Idempotency-Key", key)
	response, err := client.Do(request)
	if err != nil {
		return nil, 0, err
	}
	defer response.Body.Close()
	if status := response.StatusCode; status != http.StatusOK {
		text, _ := io.ReadAll(response.Body)
		if status < 500 && status != http.StatusConflict && status != http.StatusTooManyRequests {
			// 400 and 413: the request is wrong. 401: the key is. 402: there are not enough credits.
			log.Fatalf("%d: %s", status, text)
		}
		seconds, _ := strconv.Atoi(response.Header.Get("Retry-After"))
		return nil, time.Duration(seconds) * time.Second, fmt.Errorf("%d: %s", status, text)
	}
	err = json.NewDecoder(response.Body).Decode(&results)
	return results, 0, err
}

// verify prints one result for each address. A repeat under the same key costs only what was not charged before.
func verify(emails []string) {
	body, err := json.Marshal(map[string][]string{"emails": emails})
	if err != nil {
		log.Fatal(err)
	}
	key := make([]byte, 16)
	rand.Read(key)
	for attempt := 0; attempt < 6; attempt++ {
		results, wait, err := ask(body, fmt.Sprintf("%x", key))
		if err == nil {
			for _, result := range results {
				reason := "-"
				if result.Reason != nil {
					reason = *result.Reason
				}
				fmt.Println(result.Email, result.Status, result.Score, reason)
			}
			return
		}
		log.Print(err)
		// Full jitter, so that many callers do not come back at once.
		time.Sleep(wait + time.Duration(mathrand.Int63n(int64(500*time.Millisecond)<<attempt)))
	}
	log.Fatal("The service does not answer: try again later, with the addresses that have no result.")
}

func main() {
	log.SetFlags(0)
	if os.Getenv("RCPT_URL") == "" || os.Getenv("RCPT_API_KEY") == "" {
		log.Fatal("Set RCPT_URL and RCPT_API_KEY.")
	}
	var emails []string
	input, err := io.ReadAll(os.Stdin)
	if err != nil {
		log.Fatal(err)
	}
	for _, line := range strings.Split(string(input), "\n") {
		if email := strings.TrimSpace(line); email != "" {
			emails = append(emails, email)
		}
	}
	if len(emails) == 0 {
		log.Fatal("Usage: go run verify.go < list.txt, with one address per line.")
	}
	for len(emails) > 500 {
		verify(emails[:500])
		emails = emails[500:]
	}
	verify(emails)
}
